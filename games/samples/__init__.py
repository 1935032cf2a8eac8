"""Sample values for every component: a made-up match, to look at without playing one."""
