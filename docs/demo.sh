#!/bin/sh
# Shows what mcpcfg is for: `make demo`. It writes only into one folder, by default out/demo.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/${VENV:-.venv}/bin:$PATH
folder=${1:-out/demo}
rm -rf "$folder"
mkdir -p "$folder"
cp -r fixtures/projects/first-server "$folder/original"
cp -r fixtures/projects/first-server "$folder/servers"
cd "$folder"
exec 2>&1

say() { printf '# %s\n' "$1"; }
run() {
  printf '\n$ %s\n' "$*"
  status=0
  "$@" || status=$?
  echo
  [ "$status" -le 1 ]
}

say "In $folder are two copies of an example: original, and servers, which changes below."
printf '\n$ PATH=$PWD/%s/bin:$PATH; cd %s\n\n' "${VENV:-.venv}" "$folder"
sed -i.bak 's/name: company-login$/name: company-logon/' servers/github.yaml && rm servers/*.bak
say 'The API server takes this misspelt name; the operator then refuses the server. mcpcfg reports it before the commit.'
run mcpcfg check servers
say 'It can put it right.'
run mcpcfg check servers --fix --unsafe-fixes
say 'It compiles what the operator would create, without a cluster.'
run mcpcfg build servers --target kubernetes --standalone --output-dir compiled
sed -i.bak 's/perUser/shared/' servers/github.yaml && rm servers/*.bak
say 'It says what a change does to the cluster: here a rate limit for each user becomes one for all of them.'
run mcpcfg diff original servers
say 'Next: mcpcfg init my-servers; mcpcfg check in your own repository; mcpcfg explain REF004; README.md.'
