"""Who plays and who organises: seats, the sessions that hold them, an organiser who is present."""
