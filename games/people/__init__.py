"""Who plays and who organises: seats, the sessions that hold them, the organiser's presence."""
