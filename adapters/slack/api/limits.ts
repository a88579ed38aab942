/** What Slack accepts. Characters are counted as JavaScript counts them. */
export const limits = {
  message: {
    blocks: 50,
    /** Slack refuses all blocks together somewhere past 13,000 characters; this is of their JSON, so never less. */
    json: 12_500,
    /** What a notification or a screen reader is given, escaped; past 4,000 no message can be edited. The blocks hold the rest. */
    fallback: 3_800,
    tables: 1,
    charts: 2,
  },
  /** Of any text object. */
  text: 3_000,
  header: 150,
  /** A fact's label and its value. */
  factLabel: 200,
  factValue: 2_000,
  /** Of a section, and each of them. */
  fields: 10,
  field: 2_000,
  fieldValue: 1_700,
  buttonText: 75,
  /** Options of an overflow menu. */
  overflow: 5,
  /** Boxes of one group. */
  checkboxes: 10,
  /** Of an action or a block. */
  id: 255,
  buttons: 25,
  select: { options: 100, groups: 100, text: 75, value: 75, placeholder: 150 },
  table: { rows: 100, cells: 20, characters: 10_000, cell: 500 },
  /** The newer table, which Slack sorts and pages: its rows with the header, and how many it shows at once. */
  dataTable: { rows: 101, page: 10, caption: 150 },
  /** A part that can be closed. */
  container: { blocks: 10, title: 150 },
  chart: { title: 50, label: 20, segments: 6, series: 6, points: 20 },
  view: { blocks: 100, title: 24, metadata: 3_000, label: 2_000, hint: 2_000 },
  input: 3_000,
  command: { count: 50, name: 32, description: 2_000, hint: 1_000 },
  shortcut: { name: 24 },
  /** Of a step in Workflow Builder. Slack does not say how much it takes; this is less than it shows. */
  step: { title: 100, description: 255, error: 500 },
  app: { name: 35, description: 140 },
  /** Of what a work object shows. Slack does not say how much it takes; this is less than it shows. */
  entity: { title: 150, label: 75, value: 500, text: 3_000, fields: 20 },
  /** A response_url takes so many messages for so long. */
  respond: { uses: 5, ms: 30 * 60_000 },
  /** What Slack sends is far smaller; nobody else has anything to say here. */
  bodyBytes: 1_000_000,
  /** How long Slack waits for an acknowledgement. */
  ackMs: 3_000,
} as const
