"""boto3 with its default settings: versions, tags, and what can be configured of a bucket."""

import json
import sys
import urllib.request

import boto3
from botocore.exceptions import ClientError

endpoint = sys.argv[1]
s3 = boto3.client("s3", endpoint_url=endpoint)


def same(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def refused(call, code):
    try:
        call()
    except ClientError as error:
        return same(error.response["Error"]["Code"], code, "error")
    raise AssertionError(f"{code} was expected")


def read(key, **more):
    return s3.get_object(Bucket="papers", Key=key, **more)["Body"].read()


s3.create_bucket(
    Bucket="papers", CreateBucketConfiguration={"LocationConstraint": s3.meta.region_name}
)

# Versions: from before versioning, each content, the marker of a delete, and what is removed for good.
s3.put_object(Bucket="papers", Key="offer", Body=b"zero")
same(s3.get_bucket_versioning(Bucket="papers").get("Status"), None, "never enabled")
s3.put_bucket_versioning(Bucket="papers", VersioningConfiguration={"Status": "Enabled"})
one = s3.put_object(Bucket="papers", Key="offer", Body=b"one")["VersionId"]
two = s3.put_object(Bucket="papers", Key="offer", Body=b"two")["VersionId"]
marker = s3.delete_object(Bucket="papers", Key="offer")
same(marker["DeleteMarker"], True, "marker")
refused(lambda: read("offer"), "NoSuchKey")
same(read("offer", VersionId="null"), b"zero", "the null version")
same(read("offer", VersionId=one), b"one", "an earlier version")
entries = s3.list_object_versions(Bucket="papers")
same([v["VersionId"] for v in entries["Versions"]], [two, one, "null"], "versions")
same([(m["VersionId"], m["IsLatest"]) for m in entries["DeleteMarkers"]], [(marker["VersionId"], True)], "markers")
s3.delete_object(Bucket="papers", Key="offer", VersionId=marker["VersionId"])
same(read("offer"), b"two", "after the marker was deleted")
s3.copy_object(
    Bucket="papers", Key="offer", CopySource={"Bucket": "papers", "Key": "offer", "VersionId": one}
)
same(read("offer"), b"one", "a restored version")
s3.delete_object(Bucket="papers", Key="offer", VersionId=two)
refused(lambda: read("offer", VersionId=two), "NoSuchVersion")
s3.put_bucket_versioning(Bucket="papers", VersioningConfiguration={"Status": "Suspended"})
same(s3.put_object(Bucket="papers", Key="offer", Body=b"new zero").get("VersionId"), "null", "suspended")
same(read("offer", VersionId="null"), b"new zero", "the new null version")
pages = s3.get_paginator("list_object_versions").paginate(
    Bucket="papers", PaginationConfig={"PageSize": 1}
)
same(len([v for page in pages for v in page.get("Versions", [])]), 3, "versions in pages")

# Tags.
s3.put_object(Bucket="papers", Key="tagged", Body=b"x", Tagging="year=2026&kind=a%20b")
same(
    sorted((t["Key"], t["Value"]) for t in s3.get_object_tagging(Bucket="papers", Key="tagged")["TagSet"]),
    [("kind", "a b"), ("year", "2026")],
    "tags",
)
same(s3.get_object(Bucket="papers", Key="tagged")["TagCount"], 2, "count of tags")
s3.put_object_tagging(Bucket="papers", Key="tagged", Tagging={"TagSet": [{"Key": "year", "Value": "2027"}]})
s3.copy_object(Bucket="papers", Key="copy", CopySource="papers/tagged")
same(s3.get_object_tagging(Bucket="papers", Key="copy")["TagSet"], [{"Key": "year", "Value": "2027"}], "copied tags")
s3.delete_object_tagging(Bucket="papers", Key="tagged")
same(s3.get_object_tagging(Bucket="papers", Key="tagged")["TagSet"], [], "no tags")
refused(lambda: s3.get_bucket_tagging(Bucket="papers"), "NoSuchTagSet")
s3.put_bucket_tagging(Bucket="papers", Tagging={"TagSet": [{"Key": "team", "Value": "north"}]})
same(s3.get_bucket_tagging(Bucket="papers")["TagSet"], [{"Key": "team", "Value": "north"}], "tags of a bucket")

# Lifecycle: there are rules from the start, and they can be replaced and removed.
same(len(s3.get_bucket_lifecycle_configuration(Bucket="papers")["Rules"]) >= 1, True, "first rules")
rule = {
    "ID": "drafts",
    "Status": "Enabled",
    "Filter": {"And": {"Prefix": "drafts/", "Tags": [{"Key": "kind", "Value": "draft"}]}},
    "Expiration": {"Days": 30},
    "NoncurrentVersionExpiration": {"NoncurrentDays": 7, "NewerNoncurrentVersions": 2},
}
s3.put_bucket_lifecycle_configuration(Bucket="papers", LifecycleConfiguration={"Rules": [rule]})
same(s3.get_bucket_lifecycle_configuration(Bucket="papers")["Rules"], [rule], "rules")
s3.delete_bucket_lifecycle(Bucket="papers")
refused(
    lambda: s3.get_bucket_lifecycle_configuration(Bucket="papers"), "NoSuchLifecycleConfiguration"
)

# CORS, policy and access.
cors = {"CORSRules": [{"AllowedMethods": ["GET"], "AllowedOrigins": ["https://app.example"]}]}
s3.put_bucket_cors(Bucket="papers", CORSConfiguration=cors)
same(s3.get_bucket_cors(Bucket="papers")["CORSRules"], cors["CORSRules"], "CORS")
url = s3.generate_presigned_url("get_object", {"Bucket": "papers", "Key": "copy"})
request = urllib.request.Request(url, headers={"Origin": "https://app.example"})
same(
    urllib.request.urlopen(request).headers["Access-Control-Allow-Origin"],
    "https://app.example",
    "allowed origin",
)
policy = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Principal": "*",
            "Action": "s3:GetObject",
            "Resource": "arn:aws:s3:::papers/open/*",
        }
    ],
}
s3.put_bucket_policy(Bucket="papers", Policy=json.dumps(policy))
same(json.loads(s3.get_bucket_policy(Bucket="papers")["Policy"]), policy, "policy")
s3.delete_bucket_policy(Bucket="papers")
refused(lambda: s3.get_bucket_policy(Bucket="papers"), "NoSuchBucketPolicy")
block = {
    "BlockPublicAcls": True,
    "IgnorePublicAcls": True,
    "BlockPublicPolicy": True,
    "RestrictPublicBuckets": True,
}
s3.put_public_access_block(Bucket="papers", PublicAccessBlockConfiguration=block)
same(
    s3.get_public_access_block(Bucket="papers")["PublicAccessBlockConfiguration"], block, "block"
)
refused(lambda: s3.put_bucket_policy(Bucket="papers", Policy=json.dumps(policy)), "AccessDenied")
same(
    s3.get_bucket_ownership_controls(Bucket="papers")["OwnershipControls"]["Rules"],
    [{"ObjectOwnership": "BucketOwnerEnforced"}],
    "ownership",
)

# A bucket is held by its versions and markers, and can be deleted when they are gone.
refused(lambda: s3.delete_bucket(Bucket="papers"), "BucketNotEmpty")
for page in s3.get_paginator("list_object_versions").paginate(Bucket="papers"):
    entries = page.get("Versions", []) + page.get("DeleteMarkers", [])
    objects = [{"Key": e["Key"], "VersionId": e["VersionId"]} for e in entries]
    same(s3.delete_objects(Bucket="papers", Delete={"Objects": objects}).get("Errors", []), [], "errors")
s3.delete_bucket(Bucket="papers")
