"""Webhooks: tell other programs about scores, results and rounds, by signed requests that are retried.

No tap asks or writes anything for them. A worker beside the server looks at what has changed, writes down
what to tell (`webhook_news`), and sends what is due (`sending`).
"""
