#!/bin/sh
# Commands read the settings of the service, unless a variable names others.
if [ -z "$BUDGETD_CONFIG" ] && [ -r /etc/budgetd.conf ]; then
  export BUDGETD_CONFIG=/etc/budgetd.conf
fi
exec /usr/lib/budgetd/budgetd "$@"
