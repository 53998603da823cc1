// The editor: CodeMirror in a shadow root, where its styles are constructed sheets and so within the page's policy.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, insertTab } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const PATIENCE = 4_000
const BLINK = 1_200
const LONGEST = 200_000

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword, tags.definitionKeyword, tags.moduleKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.definition(tags.function(tags.variableName))], color: 'var(--code-function)' },
  { tag: [tags.className, tags.definition(tags.className), tags.typeName], color: 'var(--code-type)' },
  { tag: tags.meta, color: 'var(--code-type)' },
])

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-soft)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px', minWidth: '36px' },
  '.cm-activeLine': { backgroundColor: 'var(--code-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--code-line)', color: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '1.5px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--code-selection)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--failed-soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line-control)', borderRadius: '6px', overflow: 'hidden' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--text-on-accent)' },
  '.cm-completionIcon': { display: 'none' },
})

/**
 * `<hf-editor>`: dispatches `draft` (detail: the text) when it changes and `run` (detail: { code, part }) for Ctrl+Enter.
 * `completer` is asked with (code, cursor in code points, signal) and answers { matches, from, to }.
 */
class Editor extends HTMLElement {
  completer = null
  #view = null
  #text = ''

  constructor() {
    super()
    this.attachShadow({ mode: 'open' })
  }

  connectedCallback() {
    if (this.#view) {
      return
    }
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(':host { display: block; min-height: 0; } .cm-editor { height: 100%; }')
    this.shadowRoot.adoptedStyleSheets = [sheet]
    this.#view = new EditorView({ parent: this.shadowRoot, root: this.shadowRoot, state: this.#state(this.#text) })
  }

  get text() {
    return this.#view ? this.#view.state.doc.toString() : this.#text
  }

  set text(text) {
    this.#text = text
    if (this.#view && text !== this.text) {
      this.#view.setState(this.#state(text))
    }
  }

  /** What is selected, or nothing. */
  get selected() {
    const { state } = this.#view
    return state.sliceDoc(state.selection.main.from, state.selection.main.to)
  }

  /** Puts text where the cursor is, or in place of what is selected. */
  insert(text) {
    this.#view.dispatch(this.#view.state.replaceSelection(text))
    this.focus()
  }

  focus() {
    this.#view?.focus()
  }

  run(onlySelected) {
    const code = onlySelected ? this.selected : this.text
    this.dispatchEvent(new CustomEvent('run', { detail: { code, part: onlySelected } }))
  }

  #state(doc) {
    const run = () => (this.run(this.selected.trim() !== ''), true)
    return EditorState.create({
      doc,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run },
            { key: 'Ctrl-Enter', run },
            { key: 'Shift-Mod-Enter', run: () => (this.run(false), true) },
            { key: 'Tab', run: acceptCompletion },
          ]),
        ),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        drawSelection({ cursorBlinkRate: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : BLINK }),
        indentOnInput(),
        indentUnit.of('    '),
        bracketMatching(),
        closeBrackets(),
        python(),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [(context) => this.#complete(context)], icons: false, activateOnTypingDelay: 180 }),
        keymap.of([
          { key: 'Tab', run: insertTab, shift: indentLess },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({
          'aria-label': 'Code',
          'aria-description': 'Ctrl+Enter runs the selection, or all. Escape, then Tab leaves the editor.',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        EditorView.updateListener.of((update) => update.docChanged && this.dispatchEvent(new CustomEvent('draft', { detail: this.text }))),
        LOOK,
      ],
    })
  }

  /** Names that live in the session; without one, or while code runs, there are none. */
  async #complete(context) {
    const word = context.matchBefore(/[\w.]+/)
    if (!this.completer || (!word && !context.explicit) || context.state.doc.length > LONGEST) {
      return null
    }
    const text = context.state.doc.toString()
    const before = text.slice(0, context.pos)
    const asked = new AbortController()
    context.addEventListener('abort', () => asked.abort(), { onDocChange: true })
    const timer = setTimeout(() => asked.abort(), PATIENCE)
    try {
      const { matches, from } = await this.completer(text, [...before].length, asked.signal)
      if (!matches.length) {
        return null
      }
      // The server counts characters, an editor what JavaScript counts.
      const start = [...text].slice(0, from).join('').length
      return { from: Math.min(start, context.pos), options: matches.map((label) => ({ label })), validFor: /^[\w.]*$/ }
    } catch {
      return null
    } finally {
      clearTimeout(timer)
    }
  }
}
customElements.define('hf-editor', Editor)
