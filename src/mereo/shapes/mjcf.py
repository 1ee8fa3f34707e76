"""MJCF: the links of a shape as MuJoCo reads them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from xml.etree.ElementTree import Element, SubElement

from mereo.shapes.links import Link, digits

__all__ = ["mjcf"]

_KINDS = {"hinge": "hinge", "slide": "slide", "spin": "hinge"}


def mjcf(name: str, links: Sequence[Link], folder: str) -> Element:
    """A model whose base is held where it stands; it begins at rest, and its key is how the shape was left.

    folder : where the meshes lie

    The links of one model do not collide: they touch each other as they are, and their joints keep them apart.
    """
    model = Element("mujoco", model=name)
    SubElement(model, "compiler", angle="radian", meshdir=folder)
    kinds = SubElement(model, "default")
    for group, kind in ((2, "visual"), (3, "collision")):
        geom = SubElement(SubElement(kinds, "default", {"class": kind}), "geom", type="mesh", group=f"{group}")
        geom.attrib |= {"contype": "0", "conaffinity": "0", "mass": "0"} if kind == "visual" else {}
    assets, world = SubElement(model, "asset"), SubElement(model, "worldbody")
    bodies: dict[str, Element] = {}
    for link in links:
        bodies[link.name] = _added(bodies[link.above.name] if link.above else world, link)
        for body in (*link.seen, *link.pieces):
            SubElement(assets, "mesh", name=body.name, file=f"{body.name}.obj")
    contact = SubElement(model, "contact")
    for one, other in combinations(links, 2):
        SubElement(contact, "exclude", body1=one.name, body2=other.name)
    left = digits([link.limits().at for link in links if link.joint])
    SubElement(SubElement(model, "keyframe"), "key", name="as_left", qpos=left)
    return model


def _added(above: Element, link: Link) -> Element:
    body = SubElement(above, "body", name=link.name, pos=digits(link.offset()))
    mass, center, inertia = link.mass()
    entries = [inertia[a, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    SubElement(body, "inertial", pos=digits(center), mass=digits([mass]), fullinertia=digits(entries))
    if link.joint is not None:
        joint = SubElement(body, "joint", name=f"{link.name}_joint", type=_KINDS[link.joint.kind])
        joint.attrib |= {"axis": digits(link.joint.axis), "damping": digits([link.damping()])}
        joint.attrib |= {} if link.joint.kind == "spin" else {"range": digits(link.limits()[:2])}
    for seen in link.seen:
        rgba = digits(seen.color)
        SubElement(body, "geom", {"class": "visual"}, name=f"{seen.name}-seen", mesh=seen.name, rgba=rgba)
    for piece in link.pieces:
        friction = digits([piece.friction, 0.005, 0.0001])
        SubElement(body, "geom", {"class": "collision"}, name=piece.name, mesh=piece.name, friction=friction)
    return body
