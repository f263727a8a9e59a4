#!/bin/sh
# "ENVIRONMENT" in monit(1): what monit tells a program that it runs.
exec '{{notify}}' '{{webhook}}' "$MONIT_SERVICE" "$1" "$MONIT_EVENT: $MONIT_DESCRIPTION"
