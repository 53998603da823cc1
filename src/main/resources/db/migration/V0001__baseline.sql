-- gen_random_uuid() and sha256() are built in; digest() and gen_random_bytes() come from here.
create extension if not exists pgcrypto;
