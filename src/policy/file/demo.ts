/** The policy of a start without configuration: three people whom the console lets you be in turn. */
export const demoPolicy = `# The demo's policy. Copy it to bellhop.yml, and put your own people in it.
version: 1

people:
  - { id: p-support, name: Sam Support, roles: [support] }
  - { id: p-finance, name: Fay Finance, roles: [finance] }
  - { id: p-finance2, name: Finn Finance, roles: [finance] }

roles:
  # Asks for anything a customer could need, money included, and decides nothing alone that is not small.
  support:
    run:
      - subscriber *
      - list *
      - campaign *
      - contact *
      - message *
      - refund
      - upgrade
      - downgrade
      - transaction find
      - transaction refunds
      - approval *
      - job *
  finance:
    run: ["*"]
    approve: ["*"]

everyone:
  run: [bellhop *]

# The first that matches decides.
policies:
  - name: small refund
    commands: [refund]
    amount: { upTo: 50 }
    require: confirm
  - name: refund
    commands: [refund]
    amount: { upTo: 500 }
    require: { approvals: 1, from: [finance] }
    expiresIn: 30m
  # Also a refund whose amount nobody has said.
  - name: large refund
    commands: [refund]
    require: { approvals: 2, from: [finance] }
  - name: plan change
    commands: [upgrade, downgrade]
    require: { approvals: 1, from: [finance] }
  - name: mail
    commands: [campaign send, message *]
    require: confirm

# Many small refunds make a large one.
budgets:
  - name: refunds a day
    commands: [refund]
    per: requester
    window: 24h
    limit: 200
    then: { approvals: 2, from: [finance] }

# The same thing asked twice within half an hour is looked at by somebody else.
duplicates: { window: 30m }
`
