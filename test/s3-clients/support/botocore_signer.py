"""Signs requests with botocore, in headers and in the query: one JSON line in, one out."""

import json
import sys

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

for line in sys.stdin:
    asked = json.loads(line)
    credentials = Credentials(asked["accessKey"], asked["secretKey"])
    request = AWSRequest(
        method=asked["method"],
        url=asked["url"],
        headers=asked["headers"],
        params=asked["query"],
        data=b"",
    )
    if asked["isInQuery"]:
        S3SigV4QueryAuth(credentials, "s3", asked["region"], expires=60).add_auth(request)
    else:
        S3SigV4Auth(credentials, "s3", asked["region"]).add_auth(request)
    prepared = request.prepare()
    headers = {name: value if isinstance(value, str) else value.decode("latin1") for name, value in prepared.headers.items()}
    print(json.dumps({"url": prepared.url, "headers": headers}), flush=True)
