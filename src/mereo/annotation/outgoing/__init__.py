"""Annotations on their way out: as shapes of ours, PartNet's folders and HDF5, JSON in the manner of COCO, and glTF."""
