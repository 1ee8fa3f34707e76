"""URDF: the links of a shape as robot simulators read them."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from mereo.shapes.links import Link, digits

__all__ = ["urdf"]

_KINDS = {"hinge": "revolute", "slide": "prismatic", "spin": "continuous"}
_STRONGEST, _FASTEST = "1000", "10"
"""Newtons or newton meters, and meters or radians per second: URDF wants a bound, and furniture has none."""


def urdf(name: str, links: Sequence[Link], folder: str) -> Element:
    """A robot of links and joints. folder : where the meshes lie"""
    robot = Element("robot", name=name)
    _add_hints(robot)
    for link in links:
        _add_link(robot, link, folder)
        if link.above is not None:
            _add_joint(robot, link, link.above)
    return robot


def _add_hints(robot: Element) -> None:
    """What only MuJoCo reads: where meshes lie, and that links do not collide.

    Others leave neighbors in a robot alone. MuJoCo does so only where neither is fixed to the world, and an URDF cannot
    name exceptions, so that a wheel would be thrown off its axle. The same shape as MJCF can be touched.
    """
    hints = SubElement(robot, "mujoco")
    SubElement(hints, "compiler", strippath="false", discardvisual="false", fusestatic="false")
    SubElement(SubElement(hints, "option"), "flag", contact="disable")


def _add_link(robot: Element, link: Link, folder: str) -> None:
    made = SubElement(robot, "link", name=link.name)
    mass, center, inertia = link.mass()
    inertial = SubElement(made, "inertial")
    SubElement(inertial, "origin", xyz=digits(center), rpy="0 0 0")
    SubElement(inertial, "mass", value=digits([mass]))
    entries = {f"i{a}{b}": inertia["xyz".index(a), "xyz".index(b)] for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")}
    SubElement(inertial, "inertia", {entry: digits([value]) for entry, value in entries.items()})
    for tag, bodies in (("visual", link.seen), ("collision", link.pieces)):
        for body in bodies:
            shown = SubElement(made, tag, name=body.name)
            SubElement(shown, "origin", xyz="0 0 0", rpy="0 0 0")
            SubElement(SubElement(shown, "geometry"), "mesh", filename=f"{folder}/{body.name}.obj")
            if tag == "visual":
                SubElement(SubElement(shown, "material", name=body.name), "color", rgba=digits(body.color))


def _add_joint(robot: Element, link: Link, above: Link) -> None:
    assert link.joint is not None
    joint = SubElement(robot, "joint", name=f"{link.name}_joint", type=_KINDS[link.joint.kind])
    SubElement(joint, "parent", link=above.name)
    SubElement(joint, "child", link=link.name)
    SubElement(joint, "origin", xyz=digits(link.offset()), rpy="0 0 0")
    SubElement(joint, "axis", xyz=digits(link.joint.axis))
    SubElement(joint, "dynamics", damping=digits([link.damping()]))
    if link.joint.kind != "spin":
        low, high, _ = link.limits()
        bounds = {"lower": digits([low]), "upper": digits([high])}
        SubElement(joint, "limit", bounds, effort=_STRONGEST, velocity=_FASTEST)
