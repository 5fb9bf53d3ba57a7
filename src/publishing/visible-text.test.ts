import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanName, isBlank, onlyText } from './visible-text.ts'

test('names lose marks of direction, fillers, controls and other characters that cannot be seen', () => {
  for (const [name, cleaned] of [
    ['Mira\u202eariM', 'MiraariM'],
    ['\u2066Mira\u2069\u200f', 'Mira'],
    ['\u3164', ''],
    ['\u115f\uffa0\u00ad\u034f\u200b\ufeff', ''],
    ['Mi\u200cra', 'Mira'],
    ['a\u0007b\tc\u2028 d', 'a b c d'],
    ['a\ufffe\u{1ffff}b', 'ab'],
    ['  Mira  O  ', 'Mira O'],
    ['Mira\u{e0041}\u{e007f}', 'Mira'],
    ['⠀', '⠀'],
  ] as const)
    assert.equal(cleanName(name), cleaned, JSON.stringify(name))
})

test('names keep combining marks, emoji sequences, and the joiners of scripts that need them', () => {
  for (const name of [
    'Zoe\u0308 e\u0301',
    '👩‍💻 Ada',
    '👨‍👩‍👧‍👦',
    '🏳️‍🌈🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    '1️⃣ ❤️ 👍🏽',
    '🐻‍❄️',
    'می‌خواهم',
    'क्‍ष',
    '葛󠄀',
    '日本語 עברית हिन्दी',
  ])
    assert.equal(cleanName(name), name)
})

test('text is blank if nothing of it can be seen', () => {
  for (const text of ['', ' \n', '\u3164', '\u2800\u2800', '\u200b', '\ufffe', '\u202e\u2066', '\u0001'])
    assert.ok(isBlank(text), JSON.stringify(text))
  for (const text of ['x', '.', '\u0301', '🙂']) assert.ok(!isBlank(text))
})

test('controls and noncharacters are taken out of markup, line breaks and tabs are not', () => {
  assert.equal(onlyText('a\u0000\u0007\u000b\u001b\u007f\u0085\ufdd0\ufffe\uffff\u{1fffe}\u{10ffff}b'), 'ab')
  assert.equal(onlyText('a\t\r\n🙂\u00a0\ufffd'), 'a\t\r\n🙂\u00a0\ufffd')
})
