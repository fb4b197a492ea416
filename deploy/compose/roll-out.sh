#!/bin/sh
# Replaces every container of the platform one by one, each once the previous one is ready: for another image, other settings or rotated keys.
#   roll-out.sh          subgraphs, workers, then gateway and REST, after `migrate apply`
#   roll-out.sh --back   in reverse, to the previous image (CIVIGRAPH_IMAGE), without a migration
# An older subgraph under a newer gateway is not supported: such a gateway stays not ready, and this script ends with its sentence.
set -eu
cd "$(dirname "$0")"
order="subgraphs worker-verification workers rest gateway"
case "${1-}" in
  '')
    docker compose up -d --no-deps migrate && docker compose wait migrate
    docker compose run --rm --no-deps grants
    ;;
  --back) order="gateway rest workers worker-verification subgraphs" ;;
  *) echo 'usage: roll-out.sh [--back]' >&2; exit 2 ;;
esac
limit_s=${LIMIT_S:-180}
await() {
  for tried in $(seq "$limit_s"); do
    reason=$(docker exec "$1" node /app/bin/civigraph-ready.mjs 2>&1) && return 0
    sleep 1
  done
  echo "$2 is not ready after $limit_s s: $reason" >&2
  echo "stopped; the other containers still run the previous version" >&2
  exit 1
}
for service in $order; do
  for container in $(docker compose ps -q "$service"); do
    docker stop "$container" >/dev/null && docker rm "$container" >/dev/null
    docker compose up -d --no-deps --no-recreate "$service"
    for each in $(docker compose ps -q "$service"); do await "$each" "$service"; done
    sleep 3 # the balancer has detected it
  done
  echo "$service replaced"
done
