-- Which version of the automatic thresholds named a measurement's limits: what a newer one would say of the same past can differ. Null where
-- nobody learned them, and for those from before. A column without a default touches no row, however many there are.
alter table monitor_measurements add column thresholds_version smallint;
