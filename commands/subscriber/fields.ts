import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { type OpenRecord, recordsIn } from '../../src/lib/services/read-answer.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { fieldLabelOf, openText } from '../../src/lib/view/record-facts.ts'
import { note, table } from '../../src/lib/view/view.ts'

const wanted = ['name', 'fieldName', 'label', 'key', 'type', 'fieldType', 'required', 'id', '_id']
const maxColumns = 5

export const subscriberFields = defineQuery({
  name: 'subscriber fields',
  summary: 'List the custom fields that subscribers can have',
  area: 'email',
  input: z.object({}),
  examples: ['subscriber fields'],
  uses: ['email.customFields'],
  async run(_input, context) {
    const { data } = await context.email.customFields()
    const fields = recordsIn(data, 'customFields', 'fields')
    return answer({
      title: fields.length === 0 ? 'Custom fields' : plural(fields.length, 'custom field'),
      tone: 'plain',
      blocks:
        fields.length === 0
          ? [note('plain', 'The service has no custom fields. Company and position can be set anyway.')]
          : [toTable(fields)],
    })
  },
})

/** The records are not documented: the columns are the fields they have, the most useful ones first. */
const toTable = (fields: OpenRecord[]) => {
  const present = new Set(fields.flatMap((field) => Object.keys(field).filter((key) => openText(field[key]))))
  const others = [...present].filter((key) => !wanted.includes(key) && !key.startsWith('__'))
  const columns = [...wanted.filter((key) => present.has(key)), ...others].slice(0, maxColumns)
  return table(
    columns.map((key) => fieldLabelOf(key.replace(/^_/, ''))),
    fields.map((field) => columns.map((key) => openText(field[key]))),
  )
}
