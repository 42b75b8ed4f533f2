import type { FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";

/**
 * Ends a run with a line "N passed, N failed". A skipped test counts as failed:
 * a browser without WebGL2 or a missing engine is a fault here, not an excuse.
 */
export default class Closing implements Reporter {
  private tests: TestCase[] = [];

  onBegin(_config: unknown, suite: Suite): void {
    this.tests = suite.allTests();
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult["status"] }> {
    const passed = this.tests.filter((test) => test.outcome() === "expected" && test.results.length > 0).length;
    const failed = this.tests.length - passed;
    console.log(`${passed} passed, ${failed} failed`);
    return { status: failed > 0 && result.status === "passed" ? "failed" : result.status };
  }

  printsToStdio(): boolean {
    return false;
  }
}
