"""Certificates: who wins, in a form that anybody checks with the rules alone (docs/protocols/certificates.md)."""
