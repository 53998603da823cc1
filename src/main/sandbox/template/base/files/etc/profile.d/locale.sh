export LANG="${LANG:-C.UTF-8}"
