"""What people see of tables: a room for each kind of page, a view next to what its templates receive."""
