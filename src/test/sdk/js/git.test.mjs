import assert from 'node:assert/strict'
import { test } from 'node:test'
import './recording.mjs'
import { GitAuthError, GitUpstreamError, InvalidArgumentError } from '../sdk.mjs'
import { newName, shared, start } from './stage.mjs'

const box = shared()
const git = () => box.it.git
const author = { authorName: 'A. Author', authorEmail: 'author@example.com' }

// A repository with one commit on main.
async function repository() {
  const path = `/home/user/${newName('repo')}`
  await git().init(path, { initialBranch: 'main' })
  await box.it.files.write(`${path}/a.txt`, 'first\n')
  await git().add(path)
  await git().commit(path, 'first', author)
  return path
}

async function bare() {
  const path = `/home/user/${newName('bare')}.git`
  await git().init(path, { bare: true, initialBranch: 'main' })
  return path
}

test('a repository is made, filled and committed to', async () => {
  const path = await repository()
  assert.equal((await box.it.commands.run('git log --format="%an <%ae> %s"', { cwd: path })).stdout, 'A. Author <author@example.com> first\n')
  const empty = await git().commit(path, 'nothing', { ...author, allowEmpty: true })
  assert.equal(empty.exitCode, 0)
  await assert.rejects(git().commit(path, 'nothing', author))
})

test('the status tells what is staged, changed and untracked', async () => {
  const path = await repository()
  assert.equal((await git().status(path)).isClean, true)
  await box.it.files.write(`${path}/a.txt`, 'changed\n')
  await box.it.files.write(`${path}/b.txt`, 'new\n')
  await box.it.files.write(`${path}/c.txt`, 'staged\n')
  await git().add(path, { files: ['c.txt'] })
  const status = await git().status(path)
  assert.equal(status.currentBranch, 'main')
  assert.equal(status.isClean, false)
  assert.deepEqual([status.stagedCount, status.unstagedCount, status.untrackedCount], [1, 2, 1], 'the SDK counts what is untracked as unstaged too')
  assert.deepEqual(
    status.fileStatus.map((file) => [file.name, file.status, file.staged]).sort(),
    [['a.txt', 'modified', false], ['b.txt', 'untracked', false], ['c.txt', 'added', true]],
  )
})

test('branches are made, listed, changed to and deleted', async () => {
  const path = await repository()
  await git().createBranch(path, 'feature')
  const { branches, currentBranch } = await git().branches(path)
  assert.deepEqual(branches.sort(), ['feature', 'main'])
  assert.equal(currentBranch, 'feature')
  await git().checkoutBranch(path, 'main')
  await git().deleteBranch(path, 'feature')
  assert.deepEqual((await git().branches(path)).branches, ['main'])
  await git().createBranch(path, 'unmerged')
  await git().commit(path, 'only here', { ...author, allowEmpty: true })
  await git().checkoutBranch(path, 'main')
  await assert.rejects(git().deleteBranch(path, 'unmerged'))
  await git().deleteBranch(path, 'unmerged', { force: true })
})

test('reset and restore take changes back', async () => {
  const path = await repository()
  await box.it.files.write(`${path}/a.txt`, 'second\n')
  await git().add(path, { all: true })
  await git().commit(path, 'second', author)
  await git().reset(path, { mode: 'hard', target: 'HEAD~1' })
  assert.equal(await box.it.files.read(`${path}/a.txt`), 'first\n')

  await box.it.files.write(`${path}/a.txt`, 'staged\n')
  await git().add(path)
  await git().restore(path, { paths: ['a.txt'], staged: true })
  assert.equal((await git().status(path)).stagedCount, 0)
  await git().restore(path, { paths: ['a.txt'], worktree: true })
  assert.equal(await box.it.files.read(`${path}/a.txt`), 'first\n')
})

test('settings are read and written, of one repository and of the user', async () => {
  const path = await repository()
  await git().setConfig('pull.rebase', 'true', { scope: 'local', path })
  assert.equal(await git().getConfig('pull.rebase', { scope: 'local', path }), 'true')
  assert.equal(await git().getConfig('no.such', { scope: 'global' }), undefined)
  await git().configureUser('U. Ser', 'user@example.com')
  assert.equal(await git().getConfig('user.name', { scope: 'global' }), 'U. Ser')
  assert.equal(await git().getConfig('user.email', { scope: 'global' }), 'user@example.com')
})

test('a remote is named, pushed to, cloned and pulled from', async () => {
  const [path, remote] = [await repository(), await bare()]
  await git().remoteAdd(path, 'origin', remote)
  assert.equal(await git().remoteGet(path, 'origin'), remote)
  assert.equal(await git().remoteGet(path, 'other'), undefined)
  await git().remoteAdd(path, 'origin', remote, { overwrite: true, fetch: true })
  await git().push(path, { remote: 'origin', branch: 'main', setUpstream: true })

  const copy = `/home/user/${newName('copy')}`
  await git().clone(remote, { path: copy, branch: 'main', depth: 1 })
  assert.equal(await box.it.files.read(`${copy}/a.txt`), 'first\n')
  await box.it.files.write(`${path}/a.txt`, 'second\n')
  await git().add(path)
  await git().commit(path, 'second', author)
  assert.equal((await git().status(path)).ahead, 1)
  await git().push(path)
  assert.equal((await git().status(path)).ahead, 0)
  await git().pull(copy)
  assert.equal(await box.it.files.read(`${copy}/a.txt`), 'second\n')
})

test('a branch that follows nothing is a GitUpstreamError', async () => {
  const path = await repository()
  await git().remoteAdd(path, 'origin', await bare())
  await assert.rejects(git().pull(path), GitUpstreamError)
})

test('a repository that asks for credentials is a GitAuthError, and with them it is cloned', async () => {
  const [path, remote] = [await repository(), await bare()]
  await git().remoteAdd(path, 'origin', remote)
  await git().push(path, { remote: 'origin', branch: 'main', setUpstream: true })
  await box.it.commands.run('git update-server-info', { cwd: remote })
  // git over plain HTTP from files, behind a password.
  await box.it.files.write(
    'git-server.py',
    `import base64, functools, http.server
class Guarded(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        wanted = "Basic " + base64.b64encode(b"alice:s3cret").decode()
        if self.headers.get("Authorization") != wanted:
            self.send_response(401); self.send_header("WWW-Authenticate", 'Basic realm="git"'); self.send_header("Content-Length", "0"); self.end_headers()
        else:
            super().do_GET()
    def log_message(self, *args): pass
print("ready", flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", 8418), functools.partial(Guarded, directory="/home/user")).serve_forever()`,
  )
  const server = await start(box.it, 'python3 git-server.py')
  server.wait().catch(() => {})
  await box.it.commands.run('until curl -s -o /dev/null http://127.0.0.1:8418/; do sleep 0.1; done', { timeoutMs: 15_000 })
  const url = `http://127.0.0.1:8418/${remote.split('/').at(-1)}`
  await assert.rejects(git().clone(url, { path: '/home/user/refused' }), GitAuthError)
  const copy = `/home/user/${newName('private')}`
  await git().clone(url, { path: copy, username: 'alice', password: 's3cret' })
  assert.equal(await box.it.files.read(`${copy}/a.txt`), 'first\n')
  assert.ok(!(await git().remoteGet(copy, 'origin')).includes('s3cret'), 'the password is not kept')
  await git().dangerouslyAuthenticate({ username: 'alice', password: 's3cret', host: '127.0.0.1:8418', protocol: 'http' })
  await git().clone(url, { path: `${copy}-by-helper` })
  assert.equal(await box.it.files.read(`${copy}-by-helper/a.txt`), 'first\n')
  await server.kill()
})

test('what makes no sense is refused by the SDK before a command runs', async () => {
  await assert.rejects(git().clone('https://example.com/x.git', { password: 'without a name' }), InvalidArgumentError)
  await assert.rejects(git().restore('/home/user', { paths: [] }), InvalidArgumentError)
})
