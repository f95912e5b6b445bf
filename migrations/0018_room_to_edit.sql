-- An edit that touches no index (see 0001) needs room for the new version of the row in the row's own page. A bulk edit and a sync change
-- rows that lie side by side, all of a page at once: with 15 % left, three of seventeen found room, and the others wrote into a dozen
-- indexes. With half a page left all of them do. Pages that are there already keep what room they have.
alter table resources set (fillfactor = 50);
