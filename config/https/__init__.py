"""Tables over https where no certificate can be bought."""
