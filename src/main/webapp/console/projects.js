// The Projects page, for who administers the service: all of them, open and closed.
import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { Listed } from './admin-parts.js'
import { ask } from './dialog.js'
import { get, patch, post, query } from './http.js'
import { changeLimits, LIMITS } from './limits-form.js'
import { me } from './me.js'
import { openMenu } from './menu.js'
import { pageHead, pageState } from './page.js'
import { router } from './router.js'
import { toast } from './toast.js'
import { copied } from './copy.js'
import { count, icon, when } from './words.js'

const LIMIT = 50
const HERE = '/api/v1/admin/projects'
const at = (project, ...more) => [HERE, project.id, ...more].join('/')

export default class Projects extends Listed {
  asked() {
    return this.route.query.get('after') ?? ''
  }

  read(signal) {
    return get(HERE + query({ limit: LIMIT, after: this.route.query.get('after') }), { signal })
  }

  async #create() {
    const made = await nameForm({ title: 'Create project', action: 'Create project', send: (terms) => post(HERE, terms) })
    if (made) {
      open(made, 'keys')
      toast(`${made.name} is there; it has no key yet`)
    }
  }

  async #rename(project) {
    const done = await nameForm({ title: html`Rename ${project.name}`, action: 'Save', before: project, send: (terms) => patch(at(project), terms) })
    if (done) {
      toast(`${done.name} is changed`)
      if (done.id === me.project?.id) {
        choose(done)
      } else {
        this.load()
      }
    }
  }

  async #close(project) {
    const done = await ask({
      title: html`Close ${project.name}`,
      action: 'Close project',
      danger: true,
      body: html`<p>Its keys are refused from this moment on and its sandboxes end; what was not saved in them is lost. Its snapshots stay, and it can be reopened.</p>`,
      act: () => post(at(project, 'close')),
    })
    if (done) {
      toast(`${project.name} is closed`)
      this.load()
    }
  }

  async #reopen(project) {
    const done = await ask({
      title: html`Reopen ${project.name}`,
      action: 'Reopen project',
      body: html`<p>Its keys are taken again. What has ended stays so.</p>`,
      act: () => post(at(project, 'reopen')),
    })
    if (done) {
      toast(`${project.name} is open again`)
      this.load()
    }
  }

  async #purge(project) {
    const done = await ask({
      title: html`Delete all snapshots of ${project.name}`,
      action: 'Delete all snapshots',
      danger: true,
      body: html`<p>All snapshots of this closed project are deleted. Their objects go later, and with them what they cost.</p>`,
      act: () => post(at(project, 'purge')),
    })
    if (done) {
      toast('All its snapshots are deleted; their objects go later')
    }
  }

  render() {
    return html`${pageHead({
        title: 'Projects',
        help: 'All projects of the service. What is in them stays theirs.',
        actions: html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create project</button>`,
      })}
      ${this.body('projects', (answer) => (answer.projects.length ? this.#table(answer) : this.#none()))}`
  }

  #none() {
    return pageState({
      symbol: 'projects',
      role: 'status',
      title: 'No projects',
      text: 'A project has its own keys, sandboxes, snapshots and limits.',
      actions: html`<button class="button primary" @click=${() => this.#create()}>${icon('plus')}Create project</button>`,
    })
  }

  #table({ projects, next }) {
    return html`<div class="sheet"><table aria-label="Projects">
        <thead><tr><th scope="col">Name</th><th scope="col">Slug</th>${LIMITS.slice(0, 3).map(([, label]) => html`<th scope="col" class="figure">${label}</th>`)}<th scope="col">Made</th><td></td></tr></thead>
        <tbody>${repeat(projects, (each) => each.id, (each) => this.#row(each))}</tbody>
      </table></div>
      ${this.turns(count(projects.length, 'project'), next, { words: ['Oldest', 'Previous', 'Next'] })}`
  }

  #row(project) {
    return html`<tr data-id=${project.id} class=${project.closedAt ? 'faded' : ''}>
      <td class="main" data-label="Name"><span class="called"><a class="cut" href="/console/limits" @click=${(event) => (event.preventDefault(), open(project, 'limits'))}>${project.name}</a>
        ${project.id === me.project?.id ? html`<span class="badge progress">Chosen</span>` : nothing}${project.closedAt ? html`<span class="badge failed">${icon('close')}Closed ${when(project.closedAt)}</span>` : nothing}</span>${copied(project.id, 'project ID')}</td>
      <td data-label="Slug">${project.slug ? html`<span class="mono cut block">${project.slug}</span>` : html`<span class="soft" aria-label="none">–</span>`}</td>
      ${LIMITS.slice(0, 3).map(([name, label, , , write]) => html`<td class="figure" data-label=${label}>${write(project.limit[name])}${project.serviceLimit && project.serviceLimit[name] !== project.plan[name] ? html`<br> <span class="soft small">plan ${write(project.plan[name])}</span>` : nothing}</td>`)}
      <td data-label="Made">${when(project.createdAt)}</td>
      <td class="act"><button class="button quiet small square" aria-haspopup="menu" aria-expanded="false" aria-label="More for ${project.name}" title="More"
        @click=${(event) => openMenu(event.currentTarget, this.#menu(project))}>${icon('more')}</button></td>
    </tr>`
  }

  #menu(project) {
    return [
      { label: 'Choose it', icon: 'check', run: () => open(project, 'projects') },
      { label: 'Its keys', icon: 'keys', run: () => open(project, 'keys') },
      { label: 'Its audit', icon: 'audit', run: () => open(project, 'audit') },
      '-',
      { label: 'Rename…', icon: 'projects', run: () => this.#rename(project) },
      { label: 'Limits…', icon: 'limits', run: () => changeLimits(project).then((done) => done && this.load()) },
      '-',
      ...(project.closedAt
        ? [
            { label: 'Reopen…', icon: 'check', run: () => this.#reopen(project) },
            { label: 'Delete all snapshots…', icon: 'trash', danger: true, run: () => this.#purge(project) },
          ]
        : [{ label: 'Close project…', icon: 'close', danger: true, run: () => this.#close(project) }]),
    ]
  }
}

/** Chooses it, and shows that page of it. */
function open(project, page) {
  choose(project)
  router.go(`/console/${page}`)
}

const choose = ({ id, name, slug }) => me.choose({ id, name, slug })

function nameForm({ title, action, before, send }) {
  let name = before?.name ?? ''
  let slug = before?.slug ?? ''
  return ask({
    title,
    action,
    body: () => html`<div class="field"><label for="project-name">Name</label><input class="input" id="project-name" autofocus required maxlength="128" autocomplete="off" .value=${name} @input=${(event) => (name = event.target.value)}></div>
      <div class="field"><label for="project-slug">Slug</label><input class="input mono" id="project-slug" maxlength="128" autocomplete="off" spellcheck="false" .value=${slug} @input=${(event) => (slug = event.target.value)}>
        <span class="hint">Its name in qualified snapshot names: lower case letters, digits, - and _. ${before?.slug ? 'Another one renames all of them at once.' : 'It can be given later.'}</span></div>`,
    act: () => {
      if (!name.trim()) {
        throw new Error('Give the project a name.')
      }
      return send({ name: name.trim(), slug: slug.trim() || null })
    },
  })
}

customElements.define('hf-projects', Projects)
