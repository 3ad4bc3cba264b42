"""Certificates: who wins, in a form that anybody checks with the rules alone (extras/study/docs/certificates.md)."""
