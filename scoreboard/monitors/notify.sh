#!/bin/sh
# Posts a notification of a monitor that runs a command for each: notify.sh URL TARGET STATE REASON
exec curl --silent --show-error --fail --max-time 10 --retry 5 --retry-connrefused --retry-max-time 25 \
  --data-urlencode "target=$2" --data-urlencode "state=$3" --data-urlencode "reason=$4" "$1"
