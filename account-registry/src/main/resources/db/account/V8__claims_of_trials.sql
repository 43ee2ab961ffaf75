-- Names the last time that the place was given to a data plane to try: whoever was given it, and nobody else, knows it.
alter table replica add column claim text;
