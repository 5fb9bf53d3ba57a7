import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialsIn } from './serials.ts'

test('serial numbers stand in lines, or between commas, and count once', () => {
  assert.deepEqual(serialsIn(' A 1\n\nB-2, C;\nB-2\r\n'), ['A 1', 'B-2', 'C'])
  assert.deepEqual(serialsIn(' \n'), [])
})

test('a scanned code of GS1 gives its serial part', () => {
  assert.deepEqual(serialsIn('(01)04006381333931(21)KT,1\nA'), ['KT,1', 'A'])
  assert.deepEqual(serialsIn('010400638133393121K1'), ['K1'])
})
