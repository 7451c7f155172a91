// placeholder until the room has sources
