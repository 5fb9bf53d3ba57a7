"""boto3 with its default settings: everything that it can do with a bucket, by its own interface."""

import io
import json
import os
import sys
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint, large_size = sys.argv[1], int(sys.argv[2])
odd_keys = json.load(sys.stdin)
s3 = boto3.client("s3", endpoint_url=endpoint)
print("boto3", boto3.__version__)


def same(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def read(key, **more):
    return s3.get_object(Bucket="photos", Key=key, **more)["Body"].read()


def keys_in(pages, name="Contents", field="Key"):
    return [entry[field] for page in pages for entry in page.get(name, [])]


s3.create_bucket(
    Bucket="photos", CreateBucketConfiguration={"LocationConstraint": s3.meta.region_name}
)
same([b["Name"] for b in s3.list_buckets()["Buckets"]], ["photos"], "buckets")

# Odd keys, written and read one by one, and listed in pages.
for key in odd_keys:
    s3.put_object(Bucket="photos", Key=key, Body=key.encode(), Metadata={"kind": "odd"})
for key in odd_keys:
    same(read(key), key.encode(), "bytes")
    same(s3.head_object(Bucket="photos", Key=key)["Metadata"], {"kind": "odd"}, "metadata")
for name in ["list_objects_v2", "list_objects"]:
    pages = s3.get_paginator(name).paginate(Bucket="photos", PaginationConfig={"PageSize": 3})
    same(keys_in(pages), sorted(odd_keys, key=lambda key: key.encode()), name)
paginator = s3.get_paginator("list_objects_v2")
pages = list(paginator.paginate(Bucket="photos", Delimiter="/", PaginationConfig={"PageSize": 2}))
folders = {key[: key.index("/") + 1] for key in odd_keys if "/" in key}
same(set(keys_in(pages, "CommonPrefixes", "Prefix")), folders, "folders")
same(set(keys_in(pages)), {key for key in odd_keys if "/" not in key}, "without folders")

# Copies of odd keys, to odd keys.
for key in odd_keys:
    source = {"Bucket": "photos", "Key": key}
    s3.copy_object(Bucket="photos", Key="copy of " + key[:900], CopySource=source)
    same(read("copy of " + key[:900]), key.encode(), "copy")

# Large objects, in parts that boto3 chooses.
large = os.urandom(large_size)
s3.upload_fileobj(io.BytesIO(large), "photos", "large", ExtraArgs={"ContentType": "image/x-odd"})
back = io.BytesIO()
s3.download_fileobj("photos", "large", back)
same(back.getvalue() == large, True, "a large object")
same(s3.head_object(Bucket="photos", Key="large")["ContentType"], "image/x-odd", "type")
same(read("large", Range="bytes=100-199"), large[100:200], "range")
s3.copy({"Bucket": "photos", "Key": "large"}, "photos", "large copy")
same(read("large copy") == large, True, "a large copy")
s3.put_object(Bucket="photos", Key="empty", Body=b"")
same(read("empty"), b"", "an empty object")

# Presigned URLs, for a download and an upload.
modern = boto3.client("s3", endpoint_url=endpoint, config=Config(signature_version="s3v4"))
for key in odd_keys:
    target = {"Bucket": "photos", "Key": key}
    url = modern.generate_presigned_url("put_object", target)
    urllib.request.urlopen(urllib.request.Request(url, data=b"posted " + key.encode(), method="PUT"))
    url = modern.generate_presigned_url("get_object", target)
    same(urllib.request.urlopen(url).read(), b"posted " + key.encode(), "presigned")

# Conditions and errors have the names that boto3's users look for.
for call, code in [
    (lambda: read("missing"), "NoSuchKey"),
    (lambda: s3.head_object(Bucket="photos", Key="missing"), "404"),
    (lambda: s3.list_objects_v2(Bucket="no-such-bucket"), "NoSuchBucket"),
    (lambda: read("large", Range="bytes=99999999-"), "InvalidRange"),
    (lambda: read("large", IfMatch='"other"'), "PreconditionFailed"),
    (lambda: s3.delete_bucket(Bucket="photos"), "BucketNotEmpty"),
]:
    try:
        call()
        raise AssertionError(f"{code} was expected")
    except ClientError as error:
        same(error.response["Error"]["Code"], code, "error")

# Everything is deleted in batches.
everything = keys_in(s3.get_paginator("list_objects_v2").paginate(Bucket="photos"))
deleted = s3.delete_objects(
    Bucket="photos", Delete={"Objects": [{"Key": key} for key in everything]}
)
same({entry["Key"] for entry in deleted["Deleted"]}, set(everything), "deleted")
same(deleted.get("Errors", []), [], "errors")
s3.delete_bucket(Bucket="photos")
