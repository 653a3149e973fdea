module.exports = require('@backstage/cli/config/eslint-factory')(__dirname, {
  rules: {
    // A case that waits for what must become true asserts by waiting.
    'jest/expect-expect': [
      'warn',
      {
        assertFunctionNames: [
          'expect',
          'until',
          'untilPriority',
          'bed.until*',
          'describe*Contract',
        ],
      },
    ],
  },
});
