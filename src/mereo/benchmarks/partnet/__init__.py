"""PartNet: shapes as clouds of points, of which every point is told the part that it belongs to, coarse or fine."""
