"""The pages for people who change, run or use Roundtable: what they name exists."""
