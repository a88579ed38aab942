#!/bin/sh
# backup.sh <folder> [days to keep] [day of the week of the restore drill, 1 for Monday]: a backup, once a week tried out, and those
# that are too old removed. A backup that fails removes nothing.
set -eu
folder=${1:?name the folder of the backups}
keep=${2:-30}
drill=${3:-7}
bellhop=${BELLHOP:-"$(dirname "$0")/../bin/bellhop"}
file=$folder/bellhop-$(date -u +%Y-%m-%dT%H%M%S).backup
umask 077
"$bellhop" backup "$file"
if [ "$(date -u +%u)" = "$drill" ]; then "$bellhop" restore "$file" --drill; fi
find "$folder" -maxdepth 1 -type f -name 'bellhop-*.backup' -mtime +"$keep" -delete
