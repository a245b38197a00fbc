import { expect, it } from 'vitest'
import { outlineOf } from './outline.ts'

const SNAPSHOT = `- main:
  - status: Saved
  - heading "Devices" [level=1]
  - 'button "Copy: Base URL"': Copy
  - group "Status":
    - button "All 7" [pressed]
  - table "Devices":
    - row "Device Slots":
      - columnheader "Device"
      - columnheader "Slots"
    - row "attic 3":
      - cell "attic":
        - button "attic"
      - cell "3"
    - row "cellar 4":
      - cell "cellar"
  - term: Memory
  - definition: 24 GB
  - list:
    - listitem: qwen3:8b
    - listitem:
      - link "gemma4":
        - /url: /models`

it('an outline has the labels and controls of a page, without the data', () => {
  expect(outlineOf(SNAPSHOT)).toBe(`main
  heading "Devices" [level=1]
  'button "Copy: Base URL"': Copy
  group "Status"
    button "All #" [pressed]
  table "Devices"
    row
      columnheader "Device"
      columnheader "Slots"
    row
  term: Memory
  list
    listitem
`)
})
