"""Sample values for every page and component: a made-up match, to look at without playing one."""
