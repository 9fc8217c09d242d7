#!/usr/bin/env bash
# Builds the image with docker, podman or buildah, whichever is there, and looks whether it works: nobody is root in it, nothing of the
# package can be changed, the demo answers, the server becomes ready. Takes a few minutes; needs the registries.
#   bash scripts/check-image.sh [another base image that has Node]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

base=${1:-}
arguments=(${base:+--build-arg "NODE=$base"})
image=candor-check
engine=
for each in docker podman; do
  # The command alone builds nothing: its daemon must answer.
  [ -z "$engine" ] && "$each" info >/dev/null 2>&1 && engine=$each
done
if [ -n "$engine" ]; then
  "$engine" build "${arguments[@]}" -t "$image" .
  inside() { "$engine" run --rm --entrypoint sh "$image" -c "$1"; }
elif command -v buildah >/dev/null 2>&1; then
  buildah bud --format docker --network host "${arguments[@]}" -t "$image" .
  container=$(buildah from "$image")
  trap 'buildah rm "$container" >/dev/null' EXIT
  inside() { buildah run "$container" -- sh -c "$1"; }
else
  echo 'neither docker nor podman nor buildah is here: nothing was checked' >&2
  exit 3
fi

check() {
  if inside "$2"; then echo "✓ $1"; else echo "✗ $1"; exit 1; fi
}
check 'nobody is root' '[ "$(id -u)" = 1000 ]'
check 'nothing of the package can be changed' '! touch /app/dist/cli/main.js 2>/dev/null'
check 'the demo answers' 'cd "$(mktemp -d)" && candor demo >/dev/null 2>&1 && candor ask --quiet --project candor-demo "how many orders in 2024?" >/dev/null'
# The very command of HEALTHCHECK.
health=$(sed -n 's/^  CMD \["node", "-e", "\(.*\)"\]$/\1/p' Dockerfile)
check 'the server becomes ready' "cd \"\$(mktemp -d)\" && candor demo >/dev/null 2>&1 && cd candor-demo
  candor serve --quiet & server=\$!
  for at in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 2; node -e \"$health\" && break; done
  node -e \"$health\"; said=\$?; kill \$server; wait \$server; exit \$said"
