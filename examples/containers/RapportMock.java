import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** The mock service in a container; needs org.testcontainers:testcontainers. */
public class RapportMock extends GenericContainer<RapportMock> {
  private static final int PORT = 4817;

  /** Token of the control API, for the header {@code Authorization: Bearer …}. */
  public final String controlToken = UUID.randomUUID().toString();

  public RapportMock() {
    super(DockerImageName.parse("rapport-mock"));
    withEnv("RAPPORT_MOCK_CONTROL_TOKEN", controlToken);
    withEnv("RAPPORT_MOCK_SCENARIO", "empty");
    withExposedPorts(PORT);
    waitingFor(Wait.forHttp("/_mock/health").forPort(PORT));
  }

  /** Base URL of the service; that of the control API is {@code url() + "/_mock"}. */
  public String url() {
    return "http://" + getHost() + ":" + getMappedPort(PORT);
  }
}
