import { html, LitElement, nothing } from 'lit'
import { problemNotice } from './dialog.js'
import { me } from './me.js'

/**
 * Signing in: at an OpenID provider, where the server has one, or with a key. The key is sent once and kept nowhere; the field is
 * emptied before the answer comes.
 */
class SignIn extends LitElement {
  static properties = { problem: { state: true }, busy: { state: true } }

  createRenderRoot() {
    return this
  }

  firstUpdated() {
    this.querySelector('input').focus()
  }

  async #submit(event) {
    event.preventDefault()
    const input = event.target.elements.key
    const key = input.value.trim()
    if (!key || this.busy) {
      input.focus()
      return
    }
    input.value = ''
    this.busy = true
    this.problem = null
    try {
      await me.signIn(key)
    } catch (problem) {
      this.problem = problem
      input.focus()
    }
    this.busy = false
  }

  render() {
    return html`<main class="entrance">
      <form class="card" @submit=${this.#submit}>
        <div class="brand"><img src="/console/mark.svg" alt="">Holdfast</div>
        <h1>Sign in</h1>
        ${me.openId
          ? html`<a class="button primary" href=${me.openId.address} target="_self" @click=${() => me.leave()}>Sign in with ${me.openId.name}</a>
              <p class="hint or">or with a key</p>`
          : nothing}
        ${this.problem ? problemNotice(this.problem) : nothing}
        <div class="field">
          <label for="key">API key</label>
          <input class="input mono" id="key" name="key" type="password" required autocomplete="off" autocapitalize="none" spellcheck="false"
            aria-describedby="key-hint" aria-invalid=${this.problem?.status === 401 ? 'true' : nothing}>
          <p class="hint" id="key-hint">It begins with <span class="mono">e2b_</span>. It is exchanged for a sign-in and not kept in this browser.</p>
        </div>
        <button class="button ${me.openId ? '' : 'primary'}" aria-disabled=${this.busy ? 'true' : nothing}>${this.busy ? html`<span class="spinner"></span>` : nothing}Sign in</button>
      </form>
    </main>`
  }
}
customElements.define('hf-sign-in', SignIn)
