const { equal } = require('node:assert/strict')
const { createElement } = require('react')
const { renderToString } = require('react-dom/server')
const { Client } = require('rapport-sdk')
const { RapportProvider, useGatewayState } = require('rapport-sdk/react')

const client = new Client({ baseUrl: 'https://service.example' })
const State = () => useGatewayState()
equal(renderToString(createElement(RapportProvider, { client }, createElement(State))), 'idle')
