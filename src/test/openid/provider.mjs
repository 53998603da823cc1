// An OpenID provider of the tests' own: oidc-provider, with a sign-in page that asks for a name and no password, and people
// whose claims a test sets by PUT /people. Environment: PORT, SERVER (the address of the console's server), SECRET.
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const { PORT, SERVER, SECRET } = process.env
// Another site than the server, as in earnest.
const ISSUER = `http://127.0.0.1:${PORT}`
const RESOURCE = 'urn:holdfast:test'

let people = {}

const page = (title, body) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><h1>${title}</h1>${body}</body></html>`

const provider = new Provider(ISSUER, {
  clients: [
    {
      client_id: 'holdfast',
      client_secret: SECRET,
      redirect_uris: [`${SERVER}/console/openid`],
      post_logout_redirect_uris: [`${SERVER}/console/`],
    },
  ],
  claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'roles', 'realm_access'] },
  // Into the ID token, where the server reads them.
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  cookies: { keys: ['only for tests'] },
  ttl: { AuthorizationCode: 5, IdToken: 1800, AccessToken: 600, Session: 3600, Grant: 3600, Interaction: 600 },
  interactions: { url: (ctx, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (ctx, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
  features: {
    devInteractions: { enabled: false },
    // The client reads the access token, so it is no opaque one.
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: '', accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }),
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = page('Sign out?', `${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`)
      },
    },
  },
})

async function body(request) {
  let text = ''
  for await (const piece of request) {
    text += piece
  }
  return text
}

/** Who comes is who they say; `nobody` is refused. */
async function interact(request, response) {
  const { params } = await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    response.setHeader('Content-Type', 'text/html;charset=utf-8')
    response.end(page('Example accounts', `<form method="post"><label>Name <input name="login" autofocus></label><button>Continue</button></form>`))
    return
  }
  const login = new URLSearchParams(await body(request)).get('login')
  if (login === 'nobody') {
    await provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'not today' })
    return
  }
  const grant = new provider.Grant({ accountId: login, clientId: params.client_id })
  grant.addOIDCScope(params.scope)
  const grantId = await grant.save()
  await provider.interactionFinished(request, response, { login: { accountId: login }, consent: { grantId } }, { mergeWithLastSubmission: false })
}

const answer = provider.callback()

createServer(async (request, response) => {
  try {
    if (request.method === 'PUT' && request.url === '/people') {
      people = JSON.parse(await body(request))
      response.writeHead(204).end()
    } else if (request.url.startsWith('/interaction/')) {
      await interact(request, response)
    } else {
      answer(request, response)
    }
  } catch (error) {
    console.error(error)
    response.writeHead(500).end(String(error))
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${PORT}`))

for (const event of ['server_error', 'authorization.error', 'grant.error', 'end_session.error']) {
  provider.on(event, (ctx, error) => console.error(event, error.message, error.error_description ?? ''))
}
