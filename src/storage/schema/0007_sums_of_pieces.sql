-- Large blobs have a checksum for every 256 KiB, four bytes each, so that a part of one can be compared with what was
-- stored without reading the rest. Those of before have none.
alter table storage.blobs add piece_sums bytea;
alter table storage.blobs alter column piece_sums set storage external;
