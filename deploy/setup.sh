#!/bin/sh
# Makes the secrets that compose.yaml names, in the folder SECRETS; arguments are locations with their regions, such as: ny nam ld eur
# What is there already stays as it is, so it may be run again, and with a further location.
set -eu
umask 077
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# The users of the image of Watchpost, and of that of PostgreSQL.
WATCHPOST_USER=10001
POSTGRES_USER=999
# Of certificates that this makes: ten years.
DAYS=3650

cd "$SECRETS"
chmod 0711 .

# Signs a certificate for a host name of the compose file.
certificate() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf 'subjectAltName=DNS:%s\n' "$1" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days "$DAYS" -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}

# How every process reaches the NATS server.
nats_settings() {
  echo "WATCHPOST_NATS_URL=tls://nats:4222"
  echo "WATCHPOST_NATS_CA=/run/secrets/ca.crt"
}

# Adds what a command printed to the users of the NATS server.
add_user() {
  printf '%s\n' "$1" > line
  sed '/# LOCATIONS:/r line' nats-server.conf > nats-server.conf.new
  # The file stays the one that a container has mounted.
  cat nats-server.conf.new > nats-server.conf
  rm line nats-server.conf.new
}

if [ ! -e watchpost.env ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=Watchpost" -days "$DAYS" -keyout ca.key -out ca.crt 2>/dev/null
  certificate nats
  certificate postgres
  password=$(openssl rand -hex 24)
  token=$(openssl rand -hex 24)
  printf '%s' "$password" > postgres-password
  cp "$root/deploy/nats-server.conf" nats-server.conf
  rm -f service.new
  add_user "$("$root/watchpost" nats-user create --output service.new 2>/dev/null)"
  {
    cat service.new
    nats_settings
    echo "WATCHPOST_INSTANCE_KEY=$(openssl rand -hex 32)"
    echo "WATCHPOST_TOKEN=$token"
    echo "WATCHPOST_DATABASE_URL=postgres://watchpost:$password@postgres:5432/watchpost?sslmode=verify-full&sslrootcert=/run/secrets/ca.crt"
  } > watchpost.new
  rm service.new
  chmod 0444 ca.crt
  chown "$WATCHPOST_USER" watchpost.new nats-server.conf nats.key nats.crt
  chown "$POSTGRES_USER" postgres-password postgres.key postgres.crt
  # Last, so that all of it is made again where something failed.
  mv watchpost.new watchpost.env
  echo "The API token is WATCHPOST_TOKEN in secrets/watchpost.env."
fi

while [ $# -ge 2 ]; do
  if [ ! -e "$1.env" ]; then
    rm -f location.new
    line=$(WATCHPOST_FILE=watchpost.env "$root/watchpost" location create "$1" --region "$2" --output location.new 2>/dev/null)
    nats_settings >> location.new
    add_user "$line"
    chown "$WATCHPOST_USER" location.new
    mv location.new "$1.env"
    echo "The probe of the location $1 reads secrets/$1.env."
  fi
  shift 2
done
