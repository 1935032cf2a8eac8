"""Webhooks: other programs are told of scores, results and rounds, by signed requests that are tried again.

No tap asks or writes anything for them. A worker beside the server looks at what has changed, writes what is
to be told (`gathering`), and sends what is due (`sending`).
"""
