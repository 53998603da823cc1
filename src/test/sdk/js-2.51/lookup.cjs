// Loaded before a program: names below the server's domain lead to this machine, as a wildcard record would have it. Everything
// else about the connection is as it would be.
const dns = require('node:dns')
const domain = process.env.E2B_DOMAIN.replace(/:\d+$/, '')
const lookup = dns.lookup

dns.lookup = (hostname, options, callback) => {
  const answer = callback ?? options
  if (!hostname.endsWith(`.${domain}`)) return lookup(hostname, options, callback)
  const all = typeof options === 'object' && options.all
  return process.nextTick(() => (all ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : answer(null, '127.0.0.1', 4)))
}
