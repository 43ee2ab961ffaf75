# The signatures of LMCache on which the adapter relies, so that types are checked where LMCache is not installed.
# tests/test_typings.py holds them against LMCache's own.
