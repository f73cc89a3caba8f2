"""Generators of the ADF models, meshes and worlds of ambf_description."""
