import { expect, test } from 'vitest'
import { expectLinearTime } from '../cpu-time'

const make = (size: number) => Array.from({ length: size }, (_, index) => index)
const sizes = { small: 200, large: 6000 }

test('expectLinearTime accepts a function that visits every item once', async () => {
  await expectLinearTime({ make, run: (items) => items.map((item) => `${item}`).join(), ...sizes })
})

test('expectLinearTime rejects a function that visits every item for every item', async () => {
  const run = (items: number[]) => items.map((item) => items.lastIndexOf(-1 - item))
  await expect(expectLinearTime({ make, run, ...sizes })).rejects.toThrow('to be less than')
})
