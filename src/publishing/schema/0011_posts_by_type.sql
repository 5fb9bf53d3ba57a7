-- Lists of one account's replies, quotes or reposts, which are few among its posts. A plain post does not write here.
create index posts_by_type on publishing.posts (author_id, type, id desc) where type <> 'post' and deleted_at is null;
