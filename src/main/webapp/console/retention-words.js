// Rules of retention in words.
import { count, duration } from './words.js'

const OVER = { name: 'of each name', source: 'of each sandbox', project: 'of the whole project' }
const PERIODS = [
  ['keepHourly', 'hour'],
  ['keepDaily', 'day'],
  ['keepWeekly', 'week'],
  ['keepMonthly', 'month'],
]

/** `Snapshots named nightly-*: keeps the last 3 and one for each of 7 days, of each name; …` */
export function ruleInWords(rule) {
  const about = [rule.name && `named ${rule.name}`, ...Object.entries(rule.labels ?? {}).map(([key, value]) => `labelled ${key}=${value}`)].filter(Boolean)
  const kept = [
    rule.keepLast && (rule.keepLast === 1 ? 'the last one' : `the last ${rule.keepLast}`),
    ...PERIODS.filter(([member]) => rule[member]).map(([member, word]) => `one for each of ${count(rule[member], word)}`),
  ].filter(Boolean)
  const said = [
    kept.length && `keeps ${list(kept)} ${OVER[rule.per]}`,
    rule.minimumAgeSeconds && `keeps what is younger than ${duration(rule.minimumAgeSeconds)}`,
    rule.maximumAgeSeconds && `lets go what is ${duration(rule.maximumAgeSeconds)} old`,
  ].filter(Boolean)
  return `${about.length ? `Snapshots ${list(about)}` : 'All snapshots'}: ${said.join('; ') || 'keeps them all'}.`
}

const list = (words) => (words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words[0])
